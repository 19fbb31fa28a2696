import { listAt, textAt, valueAt } from "../../src/engines/events/json-value.ts";
import { sendEvent, type Dialect, type Said } from "./model-server.ts";

/** `POST …:streamGenerateContent`: gemini. */
export const geminiApi: Dialect = {
  kindOf(path, body) {
    if (!/:(?:streamG|g)enerateContent$/u.test(path)) return undefined;
    const tools = listAt(body, "tools").flatMap((tool) => listAt(tool, "functionDeclarations"));
    return tools.length > 0 ? "main" : "side";
  },
  answer(response, { text, tools = [], isCut }, { number, path }) {
    const calls = tools.map(({ name, input }) => ({ functionCall: { name, args: input } }));
    const parts = [...(text === undefined ? [] : [{ text }]), ...calls];
    const reply = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 50, totalTokenCount: 1_050 },
      modelVersion: "mock",
      responseId: `r${number}`,
    };
    if (!path.endsWith(":streamGenerateContent")) {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(JSON.stringify(reply));
    } else if (isCut !== true) {
      sendEvent(response, reply);
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" });
    }
  },
  said: (body) => listAt(body, "contents").flatMap(saidIn),
  refusal: ({ status = 500, type = "UNAVAILABLE", message = "refused", details }) => ({
    error: { code: status, message, status: type, ...details },
  }),
  other: (path) => (path.endsWith(":countTokens") ? { totalTokens: 10 } : undefined),
};

function saidIn(content: unknown): readonly Said[] {
  if (textAt(content, "role") === "model") return [];
  return listAt(content, "parts").flatMap((part): readonly Said[] => {
    const text = textAt(part, "text");
    if (text !== undefined) return [{ by: "person", text }];
    const response = valueAt(part, "functionResponse", "response");
    if (response === undefined) return [];
    return [{ by: "tool", text: textAt(response, "output") ?? JSON.stringify(response) }];
  });
}
