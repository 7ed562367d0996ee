import * as byTypeScript from "../../base/xml.ts";
import "./host.ts";

export type { XmlElement, XmlNode } from "../../base/xml.ts";
export { countForbidden, escapedUnits } from "../../base/xml.ts";

/** In place of those in `src/base/xml.ts`: see `quick-texts.c`. */
export const writeXml: typeof byTypeScript.writeXml = (element, indent = "") =>
  host.quick?.writeXml(element, indent) ?? byTypeScript.writeXml(element, indent);

export const openTag: typeof byTypeScript.openTag = (element) =>
  host.quick?.openTag(element) ?? byTypeScript.openTag(element);

export const escapeXml: typeof byTypeScript.escapeXml = (text) =>
  host.quick?.escapeXml(text) ?? byTypeScript.escapeXml(text);

export const escapeXmlAttribute: typeof byTypeScript.escapeXmlAttribute = (text) =>
  host.quick?.escapeXmlAttribute(text) ?? byTypeScript.escapeXmlAttribute(text);
