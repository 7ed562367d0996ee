import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { answerMessage, answerStream, type Turn } from "./model-answer.ts";
import { fieldOf, type ModelRequest, readRequest } from "./model-request.ts";

/** A Messages API on loopback that says what it is told to, and keeps what it was sent. */
export interface FakeModel {
  readonly url: string;
  /** Everything it was sent, in order; grows while the client runs. */
  readonly requests: readonly ModelRequest[];
  /** The conversation's requests alone. */
  readonly turns: () => readonly ModelRequest[];
  readonly summaries: () => readonly ModelRequest[];
  /** What it will say in the conversation, after what is already lined up. */
  readonly willSay: (...turns: readonly Turn[]) => void;
  /** The same for summaries. */
  readonly willSummarise: (...turns: readonly Turn[]) => void;
}

const OUT_OF_WORDS: Turn = { say: "Done." };
const SUMMARY: Turn = {
  say: "<analysis>\nShort.\n</analysis>\n\n<summary>\n1. Primary Request and Intent:\n   SUMMARY-OF-THE-STAND-IN\n</summary>",
};
const ERRAND: Turn = { say: '{"title":"A session"}' };

/** Listens on a free port of this namespace until the test is over. */
export async function startFakeModel(): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const lines: Turn[] = [];
  const summaries: Turn[] = [];
  const answer = (body: unknown): Turn => {
    const request = readRequest(body);
    requests.push(request);
    if (request.kind === "summary") return summaries.shift() ?? SUMMARY;
    return request.kind === "errand" ? ERRAND : (lines.shift() ?? OUT_OF_WORDS);
  };
  const server = createServer((request, response) => {
    void serve(request, response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    turns: () => requests.filter(({ kind }) => kind === "turn"),
    summaries: () => requests.filter(({ kind }) => kind === "summary"),
    willSay: (...turns) => void lines.push(...turns),
    willSummarise: (...turns) => void summaries.push(...turns),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the stand-in listens on no port");
  return address.port;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (body: unknown) => Turn,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const [path] = (request.url ?? "").split("?");
  if (request.method !== "POST") return sendJson(response, request.method === "HEAD" ? 200 : 404, {});
  if (path === "/v1/messages/count_tokens") {
    return sendJson(response, 200, { input_tokens: Math.ceil(text.length / 4) });
  }
  if (path !== "/v1/messages") return sendJson(response, 404, {});
  const body: unknown = JSON.parse(text);
  const message = answerMessage(answer(body), fieldOf(body, "model"));
  if (fieldOf(body, "stream") !== true) return sendJson(response, 200, message);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(answerStream(message));
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
