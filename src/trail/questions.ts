import { isArray, isObject, stringAt } from "../base/json-value.ts";
import { oneLine } from "./clean-text.ts";
import { type Call, isRejected, placeOf, remarkOn, type Step, type TrailContext } from "./context.ts";
import type { Place, Question } from "./model.ts";

/** Questions to the person and their answers, newest first: asked with the tool for it, or as the last words of a turn. */
export function questions(steps: readonly Step[], context: TrailContext): readonly Question[] {
  const found: Question[] = [];
  let asked: (Place & { readonly question: string; readonly inside: boolean }) | null = null;
  for (const { activity, inside, main } of steps) {
    if (!main) continue;
    if (activity.kind === "tool-call") {
      asked = null;
      if (activity.name === "AskUserQuestion" && inside) found.push(...toolQuestions(activity, context));
    } else if (activity.kind === "assistant-text") {
      const question = questionIn(activity.text);
      asked = question === null ? null : { ...placeOf(activity), question: context.clean(question, 300), inside };
    } else if (activity.kind === "prompt") {
      if (asked !== null && inside) found.push(textQuestion(asked, context.cleanLine(activity.text, 300)));
      asked = null;
    }
  }
  if (asked?.inside === true) found.push(textQuestion(asked, null));
  return found.reverse();
}

function textQuestion({ row, at, question }: Place & { readonly question: string }, answer: string | null): Question {
  return { row, at, question, answer, state: answer === null ? "open" : "answered" };
}

function toolQuestions(call: Call, context: TrailContext): readonly Question[] {
  const asked = isArray(call.input.questions) ? call.input.questions.filter(isObject) : [];
  const declined = call.outcome === "failed";
  if (declined && !isRejected(call)) return [];
  return asked.flatMap((each) => {
    const question = stringAt(each, "question");
    if (question === null) return [];
    const answer = declined ? remarkOn(call) : (call.note?.answers.get(question) ?? answerIn(call.result, question));
    return [
      {
        ...placeOf(call),
        question: context.cleanLine(question, 300),
        answer: answer === null ? null : context.cleanLine(answer, 300),
        state: call.outcome === "in-flight" ? "open" : declined ? "declined" : "answered",
      },
    ];
  });
}

/** The answer in a result's text: `"question"="answer"`. */
function answerIn(result: string, question: string): string | null {
  const mark = `"${question}"="`;
  const at = result.indexOf(mark);
  if (at === -1) return null;
  const from = at + mark.length;
  const end = result.indexOf('"', from);
  return result.slice(from, end === -1 ? undefined : end);
}

/** The question that a text ends with: in its last line, or above a short list of choices. */
function questionIn(text: string): string | null {
  const lines = text
    .slice(-LAST_WORDS)
    .split("\n")
    .map(oneLine)
    .filter((line) => line !== "");
  const at = lines.findLastIndex((line) => /[?？؟][*_`)"'”»\s]{0,8}$/.test(line));
  if (at === -1) return null;
  const choices = lines.slice(at + 1);
  if (choices.length > 8 || !choices.every((line) => /^(?:[-*+•]|\(?[0-9A-Za-z]{1,2}[.):]) /.test(line))) return null;
  return [lines[at] ?? "", ...choices].join(" ");
}

const LAST_WORDS = 2_000;
