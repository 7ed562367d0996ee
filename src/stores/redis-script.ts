/**
 * Writes a role's machine where it still is what was read, its history and a word to those who watch: all or nothing,
 * since a script runs by itself and every write that could be refused comes first.
 *
 * KEYS: machines, history, feed, set-aside, once. ARGV: the machine's name; its text as it was read, empty for none; its
 * text from now on, empty for none; seconds to remember the step by its name, 0 for a step without one; the name under
 * which the old text is set aside, empty where it is not; how much of the feed is kept; then revision and line of each
 * transition. Gives 1; 0 where the machine is another one; 2 where the step was done before.
 *
 * An entry of the history has its revision for an id, so a revision is never there twice. A stream takes no id below its
 * last one: where it has gone further than the machine, it is made anew.
 */
export const WRITE_MACHINE = `
if ARGV[4] ~= '0' and redis.call('EXISTS', KEYS[5]) == 1 then return 2 end
local current = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if current ~= ARGV[2] then return 0 end
if #ARGV > 6 then
  local first = tonumber(ARGV[7])
  local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  if last and tonumber(string.match(last[1], '^%d+')) >= first then
    local kept = redis.call('XRANGE', KEYS[2], '-', string.format('%d', first - 1))
    redis.call('DEL', KEYS[2])
    for _, entry in ipairs(kept) do redis.call('XADD', KEYS[2], entry[1], 'line', entry[2][2]) end
  end
  for i = 7, #ARGV, 2 do redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'line', ARGV[i + 1]) end
end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[4], ARGV[5], current) end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[6], '*', 'machine', ARGV[1])
if ARGV[4] ~= '0' then redis.call('SET', KEYS[5], '1', 'EX', ARGV[4]) end
return 1
`;
