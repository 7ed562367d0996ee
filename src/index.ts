export { compareDiagnostics, type Diagnostic, type Finding, type Severity } from "./base/diagnostic.ts";
export type { EnvItem } from "./base/env-text.ts";
export type { Heading, ListItem, Outline } from "./base/markdown.ts";
export type { Result } from "./base/result.ts";
export type { Position, SourceLine, SourceText, Span } from "./base/source-text.ts";
export { applyEdits, type TextEdit } from "./base/text-edit.ts";
export type { Field, FieldName } from "./context-file/fields.ts";
export { type FixResult, fixContextFile } from "./context-file/fix.ts";
export type { ContextFile, SectionKind } from "./context-file/model.ts";
export { type ParsedContextFile, parseContextFile, type Section as ContextFileSection } from "./context-file/parse.ts";
export type { Problem, Rule, ValidateOptions } from "./context-file/rule.ts";
export { RULES } from "./context-file/rules/index.ts";
export { contextFileJsonSchema } from "./context-file/schema-json.ts";
export { schemaMarkdown } from "./context-file/schema-text.ts";
export { contextFileTemplate, type TemplateValues } from "./context-file/template.ts";
export { isValid, type Validation, validateContextFile } from "./context-file/validate.ts";
export * from "./detect.ts";
export * from "./documents.ts";
export { applyEvent } from "./lifecycle/apply-event.ts";
export { mermaidDiagram } from "./lifecycle/diagram.ts";
export type { LegacyForm } from "./lifecycle/legacy-env.ts";
export { lifecycleMachine } from "./lifecycle/machine.ts";
export { type Refusal, refusalText } from "./lifecycle/refusal.ts";
export { type MachineName, machineName, parseRole, type RoleError, type RoleName } from "./lifecycle/role.ts";
export {
  formatMachine,
  type MachineRecord,
  parseMachine,
  type SnapshotError,
  type SnapshotProblem,
  type StoredMachine,
} from "./lifecycle/snapshot.ts";
export {
  LIFECYCLE_EVENTS,
  LIFECYCLE_STATES,
  type LifecycleContext,
  type LifecycleEvent,
  type LifecycleEventType,
  type LifecyclePoint,
  type LifecycleState,
} from "./lifecycle/states.ts";
export * from "./manifest.ts";
