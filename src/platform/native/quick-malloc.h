/*
 * Small blocks of memory, which the engine's source takes in where it has its own: a list of free ones for each size, in place of pages
 * that are counted, linked and given back. A process is over before there is much to give back. Headers and sizes are the engine's.
 */
#define QUICK_BLOCK 0xfffe
#define QUICK_CHUNK ((size_t)256 << 10)

static JSMallocBlockHeader *g_free_blocks[JS_ARENA_BLOCK_SIZE_COUNT];
static uint8_t *g_chunk, *g_chunk_end;

static no_inline JSMallocBlockHeader *quick_block(JSRuntime *rt, int size) {
  if (g_chunk_end - g_chunk < size) {
    g_chunk = rt->mf.js_malloc(rt->malloc_state.opaque, QUICK_CHUNK);
    g_chunk_end = g_chunk == NULL ? NULL : g_chunk + QUICK_CHUNK;
    if (g_chunk == NULL) return NULL;
  }
  JSMallocBlockHeader *block = (JSMallocBlockHeader *)(void *)g_chunk;
  g_chunk += size;
  return block;
}

/* NULL for a large block, and where memory has run out: the engine goes on to its own. */
static void *quick_malloc(JSRuntime *rt, size_t size) {
  size_t whole = ((size + JS_ARENA_ALIGN - 1) & ~(size_t)(JS_ARENA_ALIGN - 1)) + sizeof(JSMallocBlockHeader);
  if (JS_ARENA_LARGE_BLOCKS_ONLY || size == 0 || whole > JS_ARENA_MAX_SMALL_SIZE) return NULL;
  int kind = arena_get_size_index(whole);
  JSMallocBlockHeader *block = g_free_blocks[kind];
  if (likely(block != NULL)) {
    memcpy(&g_free_blocks[kind], block->user_data, sizeof block);
    return block->user_data;
  }
  block = quick_block(rt, arena_block_sizes[kind]);
  if (block == NULL) return NULL;
  block->u.block_idx = QUICK_BLOCK;
  block->block_size_idx = (uint8_t)kind;
  return block->user_data;
}

/* Where the next free one lies stands in it. */
static void quick_free(JSMallocBlockHeader *block) {
  memcpy(block->user_data, &g_free_blocks[block->block_size_idx], sizeof block);
  g_free_blocks[block->block_size_idx] = block;
}
