import { Subject } from "rxjs";
import { expect, test } from "vitest";
import { hintedReading } from "../../src/streams/hinted-reading.ts";

/** A reading that records which kind of read each one is. */
function rig() {
  const looks: string[] = [];
  const look = (way: string) => () => Promise.resolve(void looks.push(way));
  const hint$ = new Subject<string>();
  const reading = hintedReading({ readOn: look("hinted"), readAll: look("all") }, hint$);
  reading.hint$.subscribe();
  return { looks, hint$, reading };
}

test("the first read checks everything, even after a hint", async () => {
  const { looks, hint$, reading } = rig();
  hint$.next("human.log");
  await reading.read();
  expect(looks).toEqual(["all"]);
});

test("a read after a hint covers the hinted files; one due by time alone checks everything", async () => {
  const { looks, hint$, reading } = rig();
  await reading.read();
  hint$.next("tester.log");
  hint$.next("tester.log");
  await reading.read();
  await reading.read();
  expect(looks).toEqual(["all", "hinted", "all"]);
});

test("after a step everything is checked, whatever was hinted meanwhile: a hint about another file may be lost", async () => {
  const { looks, hint$, reading } = rig();
  await reading.read();
  hint$.next("builder.log");
  reading.checkAllNext();
  hint$.next("builder.log");
  await reading.read();
  hint$.next("builder.log");
  await reading.read();
  expect(looks).toEqual(["all", "all", "hinted"]);
});
