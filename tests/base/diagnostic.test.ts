import { expect, test } from "vitest";
import { compareDiagnostics, countBySeverity, type Diagnostic, diagnosticAt } from "../../src/base/diagnostic.ts";
import { sourceText } from "../../src/base/source-text.ts";

const at = (line: number, column: number, severity: Diagnostic["severity"], code: string): Diagnostic => ({
  code,
  severity,
  message: "",
  start: { line, column },
  end: { line, column },
});

test("gives a finding its place and keeps the rest of it", () => {
  const source = sourceText("\uFEFFab\r\ncd");
  const finding = { code: "c", severity: "error", message: "m", hint: "h", span: { start: 2, end: 7 } } as const;
  expect(diagnosticAt(source, finding)).toEqual({
    code: "c",
    severity: "error",
    message: "m",
    hint: "h",
    start: { line: 1, column: 2 },
    end: { line: 2, column: 3 },
  });
});

test("orders by line, column, severity, code, whatever the order they come in", () => {
  const sorted = [
    at(1, 2, "error", "b"),
    at(1, 9, "info", "a"),
    at(2, 1, "error", "a"),
    at(2, 1, "error", "b"),
    at(2, 1, "warning", "a"),
    at(2, 1, "info", "a"),
    at(10, 1, "error", "a"),
  ];
  expect([...sorted].reverse().sort(compareDiagnostics)).toEqual(sorted);
  expect(compareDiagnostics(at(1, 1, "info", "a"), at(1, 1, "info", "a"))).toBe(0);
});

test("counts each severity", () => {
  expect(countBySeverity([])).toEqual({ error: 0, warning: 0, info: 0 });
  expect(countBySeverity([at(1, 1, "info", "a"), at(1, 1, "error", "a"), at(1, 1, "info", "a")])).toEqual({
    error: 1,
    warning: 0,
    info: 2,
  });
});
