import { z } from "zod";
import { exactVariableNames, variableNames } from "./variable-names.ts";

/** What the project's commands that wisp itself runs find in their environment. */
export const CommandsSetting = z
  .strictObject(
    {
      env: variableNames(
        "Variables that setup, verify and the commands of bugs may see, besides those that locate " +
          "programs; * at the end matches any rest.",
      ),
      slot: exactVariableNames(
        "Variables that build, verify and the commands of bugs find set to ports of their own: no two runs at " +
          "the same time get the same, whatever session they are of.",
      ),
      ci: z
        .boolean({ error: "true or false" })
        .default(true)
        .describe(
          "Whether build, verify and the commands of bugs get CI=true, unless your own CI has another value.",
        ),
    },
    { error: "a mapping of keys to values" },
  )
  .prefault({})
  .describe("The project's commands that wisp itself runs.");
