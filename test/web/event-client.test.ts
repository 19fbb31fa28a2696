import { expect, test } from "vitest";
import { EventClient, eventText, type EventStream } from "../../src/web/event-client.ts";

/** A stream whose reader reads only when it is told to. */
class HeldStream implements EventStream {
  readonly taken: string[] = [];
  destroyed = false;
  isHeld = true;
  #drained: () => void = () => undefined;

  write(text: string): boolean {
    this.taken.push(text);
    return !this.isHeld;
  }
  end(text: string): void {
    this.taken.push(text);
  }
  destroy(): void {
    this.destroyed = true;
  }
  on(_event: "drain", listener: () => void): void {
    this.#drained = listener;
  }
  drain(): void {
    this.#drained();
  }
}

test("a page that does not read is owed the newest of each kind, and nothing in between", () => {
  const stream = new HeldStream();
  const client = new EventClient(stream, "a");
  client.show("report", "report 1");
  for (let at = 2; at <= 1_000; at += 1) {
    client.show("report", `report ${String(at)}`);
    client.show("sessions", `sessions ${String(at)}`);
  }
  expect(stream.taken).toEqual(["report 1"]);
  stream.drain();
  stream.drain();
  expect(stream.taken).toEqual(["report 1", "report 1000", "sessions 1000"]);
  stream.drain();
  client.show("report", "report 1000");
  expect(stream.taken).toHaveLength(3);
});

test("a page that has read nothing from one beat to the next is left; one that reads stays", () => {
  const [dead, slow] = [new HeldStream(), new HeldStream()];
  const clients = [new EventClient(dead, "a"), new EventClient(slow, "a")];
  for (const client of clients) client.show("report", "report 1");
  for (const client of clients) client.beat();
  expect([dead.destroyed, slow.destroyed]).toEqual([false, false]);
  slow.drain();
  for (const client of clients) client.beat();
  expect([dead.destroyed, slow.destroyed]).toEqual([true, false]);
  for (const client of clients) client.show("report", "report 2");
  expect(dead.taken).toEqual(["report 1"]);
});

test("what is sent is one event of one line, whatever the text is", () => {
  const html = "a\n\nevent: end\ndata: {}\r\n\u2028";
  const text = eventText("report", { html });
  expect(text.split("\n").filter((line) => line !== "")).toHaveLength(2);
  expect(JSON.parse(text.slice(text.indexOf("data: ") + "data: ".length))).toEqual({ html });
});
