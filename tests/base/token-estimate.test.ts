import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What looks like the tokenizer's own marks is text here. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

function trueCount(text: string): number {
  return Math.max(encodeCl100k(text, AS_TEXT).length, encodeO200k(text, AS_TEXT).length);
}

function ratio(text: string): number {
  return estimateTokens(text) / trueCount(text);
}

function filesUnder(folder: string, ending: string): readonly string[] {
  return readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => readFileSync(`${ROOT}/${folder}/${name}`, "utf8"));
}

/** Pages of about 6 000 characters, whole lines. */
function pagesOf(texts: readonly string[]): readonly string[] {
  const pages: string[] = [];
  let page = "";
  for (const line of texts.join("\n").split("\n")) {
    page += `${line}\n`;
    if (page.length < 6_000) continue;
    pages.push(page);
    page = "";
  }
  return page.length > 1_000 ? [...pages, page] : pages;
}

const ENGLISH = `When an agent works for a long time, the conversation grows until it no longer fits. The client then asks the
model for a summary, throws the conversation away, and goes on with the summary alone. What the summary does not mention is
lost: which files were changed, which command failed and was never looked at again, what the person asked for in the first
place. Nobody notices at once. The agent goes on in good faith, repeats work that was done, or undoes it, and the person who
watches wonders why a question is asked that was answered an hour ago.

It was a bright morning in April, and the streets were still wet from the rain of the night. A woman in a grey coat walked
slowly along the river, stopped at the second bridge, and looked down into the water as if she had dropped something there
years ago. She had not. She liked the sound, and the way the light moved under the arches, and she was in no hurry at all.
Two children ran past her with a dog that was far too large for them. "He knows the way," the older one called out, although
nobody had asked, and then all three of them disappeared behind the market hall, where the first stalls were being opened.

To bake a simple loaf, mix five hundred grams of flour with ten grams of salt, a little yeast and about three hundred and
fifty millilitres of warm water. Knead the dough for ten minutes, cover it, and let it rest for an hour or two in a warm
place. Fold it twice, shape it, and let it rise once more while the oven heats up. Bake it for forty minutes; it is done when
it sounds hollow if you knock on the bottom. Let it cool on a rack before you cut it, however hard that may be.
`;

const CHINESE = `当一个代理长时间工作时，对话会不断增长，直到再也放不下为止。客户端随后要求模型写一份摘要，把对话丢弃，只带着摘要继续工作。
摘要里没有提到的东西就丢失了：哪些文件被修改过，哪条命令失败了却没有人再去看，用户一开始到底要求了什么。没有人会立刻发现这一点。
代理满怀信心地继续下去，重复已经完成的工作，或者把它撤销，而旁观的人不明白为什么一个小时前已经回答过的问题又被提了出来。
繁體中文也應該算得對：這個專案的設定檔放在資料夾裡，請先閱讀說明，再執行測試，最後把結果寫進報告。`;

const JAPANESE = `エージェントが長い時間働くと、会話はどんどん大きくなり、やがて収まらなくなります。するとクライアントはモデルに要約を求め、
会話を捨てて、要約だけを持って続けます。要約に書かれていないことは失われます。どのファイルを変更したのか、どのコマンドが失敗した
まま放置されているのか、利用者が最初に何を頼んだのか。誰もすぐには気づきません。ソースコードとテストを確認してください。`;

const EMOJI = "🚀🎉✅❌⚠️🔥👍🏽👨‍👩‍👧‍👦🇩🇪🇯🇵🏳️‍🌈😀😂🤖🧪📦🛠️💥✨🐛📝";

/** Bytes without a pattern, the same at every run. */
function scrambledBytes(count: number, seed: number): Buffer {
  const blocks: Buffer[] = [];
  for (let block = 0; block * 32 < count; block++) {
    blocks.push(createHash("sha256").update(`${seed} ${block}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, count);
}

/** The first lines of the Thousand Character Classic: no character stands there twice. */
const CLASSIC = `天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏餘成歲律呂調陽雲騰致雨露結為霜金生麗水玉出崑岡劍號巨闕珠稱夜光
果珍李柰菜重芥薑海鹹河淡鱗潛羽翔龍師火帝鳥官人皇始制文字乃服衣裳推位讓國有虞陶唐弔民伐罪周發殷湯坐朝問道垂拱平章`;

describe("estimateTokens", () => {
  it("is nothing for nothing, and at least one for anything", () => {
    expect(estimateTokens("")).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 5 }), (text) => estimateTokens(text) >= 1),
    );
  });

  it.each([
    ["English prose", pagesOf([ENGLISH])],
    ["licences and guides", pagesOf([readFileSync(`${ROOT}/LICENSE`, "utf8"), ...filesUnder("docs", ".md"), ENGLISH])],
    ["code of ours", pagesOf(filesUnder("src", ".ts"))],
    ["tests of ours", pagesOf(filesUnder("tests/thread", ".ts"))],
  ])("is at or above the true count of %s, page by page, and at most a quarter above", (_name, pages) => {
    for (const page of pages) {
      expect(ratio(page), page.slice(0, 200)).toBeGreaterThanOrEqual(1);
      expect(ratio(page), page.slice(0, 200)).toBeLessThanOrEqual(1.25);
    }
    expect(pages.length).toBeGreaterThan(0);
  });

  it.each(ENGLISH.split("\n\n").map((paragraph) => [paragraph.slice(0, 30), paragraph]))(
    "is at or above the true count of a paragraph: %s",
    (_name, paragraph) => {
      expect(ratio(paragraph)).toBeGreaterThanOrEqual(1);
      expect(ratio(paragraph)).toBeLessThanOrEqual(1.25);
    },
  );

  it.each([
    ["Chinese", CHINESE],
    ["an old Chinese text", CLASSIC],
    ["one character of many", "漢".repeat(400)],
    ["phonetic signs", "ㄅㄆㄇㄈㄉㄊㄋㄌ"],
    ["a family of four", "👨‍👩‍👧‍👦"],
    ["Japanese", JAPANESE],
    ["emoji", EMOJI],
    ["emoji among words", "Done 🚀, all tests pass ✅ and nothing is on fire 🔥 any more 🎉. "],
    ["Korean", "에이전트가 오래 일하면 대화가 점점 커져서 더 이상 들어가지 않게 됩니다. 요약에 없는 것은 사라집니다."],
    [
      "Russian",
      "Когда агент работает долго, разговор растёт, пока больше не помещается. То, чего нет в сводке, теряется.",
    ],
    [
      "German",
      "Wenn ein Agent lange arbeitet, wächst das Gespräch, bis es nicht mehr passt. Für größere Änderungen genügt das nicht.",
    ],
  ])("is at or above the true count of %s, whole and in pieces", (_name, text) => {
    expect(ratio(text)).toBeGreaterThanOrEqual(1);
    expect(ratio(text.repeat(5))).toBeGreaterThanOrEqual(1);
    for (let at = 0; at + 60 < text.length; at += 37)
      expect(ratio(text.slice(at, at + 60).trim())).toBeGreaterThanOrEqual(1);
  });

  it.each([64, 300, 3_000, 30_000])("is at or above the true count of %i random bytes in base64 and hex", (bytes) => {
    for (let run = 0; run < 5; run += 1) {
      const random = scrambledBytes(bytes, run);
      const base64 = random.toString("base64");
      for (const text of [
        base64,
        base64.replace(/.{76}/g, "$&\n"),
        random.toString("base64url"),
        random.toString("hex"),
      ]) {
        // Of so few bytes chance moves the true count by some tokens.
        expect(estimateTokens(text) + (bytes < 100 ? 6 : 0)).toBeGreaterThanOrEqual(trueCount(text));
      }
    }
  });

  it("adds up over lines", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 40 }).map((line) => line.replace(/\s+$/, "")),
          { maxLength: 20 },
        ),
        (lines) => {
          const sum = lines.reduce((total, line) => total + estimateTokens(`${line}\n`), 0);
          expect(estimateTokens(lines.map((line) => `${line}\n`).join(""))).toBeLessThanOrEqual(sum);
        },
      ),
    );
  });

  it("reads a megabyte in linear time", () => {
    for (const unit of ["a", "x.", " ", "漢", "aB", "\n", "🚀", "A", "\u0301"]) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const start = cpuTime();
      estimateTokens(text);
      expect(cpuTime() - start).toBeLessThan(2_000);
    }
  });
});
