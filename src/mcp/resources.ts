import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
} from "@modelcontextprotocol/server";
import { DOCUMENTS, type Actions, type DocumentPlace } from "./actions.ts";

const DESCRIPTION =
  "Files of a session for people: PROGRESS.txt (what happened), REVIEWS.md and BUGS.md (what was found), " +
  "TASKS.md (the plan).";

/** `wisp://session/<id>/<document>`, the id percent-encoded. */
export function documentUri({ session, name }: DocumentPlace): string {
  return `wisp://session/${encodeURIComponent(session)}/${name}`;
}

/** Undefined if it does not name a document. Which sessions exist is not checked here. */
export function documentPlace(uri: string): DocumentPlace | undefined {
  const [, encoded = "", document] = /^wisp:\/\/session\/([^/?#]+)\/([^/?#]+)$/u.exec(uri) ?? [];
  const name = DOCUMENTS.find((one) => one === document);
  const session = decoded(encoded);
  return name === undefined || session === undefined ? undefined : { session, name };
}

/** Registers the readable files of sessions. */
export function addResources(server: McpServer, actions: Actions): void {
  const template = new ResourceTemplate("wisp://session/{session}/{document}", {
    list: () => ({
      resources: actions.documents().map((place) => ({
        uri: documentUri(place),
        name: `${place.session} ${place.name}`,
        mimeType: mimeType(place),
      })),
    }),
  });
  const about = { title: "Files of a session", description: DESCRIPTION };
  server.registerResource("session-document", template, about, ({ href: uri }) => {
    const place = documentPlace(uri);
    const text = place && actions.readDocument(place);
    if (place === undefined || text === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: mimeType(place), text }] };
  });
}

function mimeType({ name }: DocumentPlace): string {
  return name.endsWith(".md") ? "text/markdown" : "text/plain";
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
