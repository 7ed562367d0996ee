/**
 * False for a text in which `redact` finds nothing that is known: for whoever looks into thousands of texts, to whom one search for
 * all costs a fifth of one for each. Whoever looks into a few would pay more to make the patterns. What is added to `redact`
 * has to be added here: a test holds each kind of secret to it.
 */
export function mayHoldSecret(text: string): boolean {
  return SIGN.test(text) || NAME.test(text);
}

/** Beginnings are seen from their last character: `_`, `-` and `.` are rarer than letters. */
const SIGN =
  /[_.-](?<=(?:gh[pousr]|github_pat|npm|hf|dckr|do[opr]_v1|shp(?:at|ss|ca|pa)|sntry[su]|lin|ntn|whsec|gsk|r8|live|test)_|(?:xox[a-z]|xapp|gl(?:pat|rt|dt|cbt|ptt|oas|soat|ft|imt|agent)|pypi|xai|pplx|sk|redis|--from|----)-|(?:ya29|SG|hv[sbr]|hooks)\.)|A(?:KIA|SIA|ROA|IDA|Iza|TATT3)|J(?<=eyJ)|\/api\/webhooks|:(?:\\?\/\\?\/[^\s/\\"'`<>?#]+@|(?<=ookie:))|[Bb](?:earer|EARER|asic[ \t])|-(?=u(?:ser)?[ \t=])|_(?=auth)|q(?<=mysq)|g(?<= log)|b(?<=mariadb)|g(?<=mong)|q(?=lcmd)|p(?<=ldap|zip)|l(?<=curl)|S(?<=sudo[ \t]{1,4}-S|S(?=ecureString))|:(?=oracle:)|[dD](?<=entified|ENTIFIED)/;

/** What is in every name of `redact-assignments.ts`; an Azure key and a key of age have it as well. */
const NAME =
  /pass|pw(?:d|["'`*]{0,4}[ \t]{0,8}\\{0,4}["']?[:=])|secret|token|key|credential|authorization|kennwort|senha|contrase|пароль|密|パスワード|비밀번호/i;
