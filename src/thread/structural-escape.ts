/**
 * The document with quotes and apostrophes in bodies as they are: XML asks for their entities in attributes only, and they
 * cost a model tokens. An ampersand of the text stands as `&amp;`, so that no entity in it is mistaken for one of these.
 */
export function withPlainQuotes(xml: string): string {
  return xml.replace(BODY, (body) =>
    body.includes("&") ? body.replaceAll("&quot;", '"').replaceAll("&apos;", "'") : body,
  );
}

/** What stands between a tag's end and the next tag: text holds neither of the two characters itself. */
const BODY = />[^<>]+</g;
