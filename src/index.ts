export { compareDiagnostics, type Diagnostic, type Severity } from "./base/diagnostic.ts";
export type { Position, Span } from "./base/source-text.ts";
export { applyEdits, type TextEdit } from "./base/text-edit.ts";
export { fixContextFile } from "./context-file/fix.ts";
export { type ParsedContextFile, parseContextFile } from "./context-file/parse.ts";
export type { Rule, ValidateOptions } from "./context-file/rule.ts";
export { RULES } from "./context-file/rules/index.ts";
export { contextFileJsonSchema } from "./context-file/schema-json.ts";
export { schemaMarkdown } from "./context-file/schema-text.ts";
export { contextFileTemplate } from "./context-file/template.ts";
export { isValid, validateContextFile } from "./context-file/validate.ts";
export { applyEvent } from "./lifecycle/apply-event.ts";
export { mermaidDiagram } from "./lifecycle/diagram.ts";
export { lifecycleMachine } from "./lifecycle/machine.ts";
export { type Refusal, refusalText } from "./lifecycle/refusal.ts";
export { type MachineName, machineName, parseRole, type RoleName } from "./lifecycle/role.ts";
export { formatMachine, type MachineRecord, parseMachine, type StoredMachine } from "./lifecycle/snapshot.ts";
export {
  LIFECYCLE_EVENTS,
  LIFECYCLE_STATES,
  type LifecycleEventType,
  type LifecyclePoint,
  type LifecycleState,
} from "./lifecycle/states.ts";
