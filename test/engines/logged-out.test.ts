import { CLIS } from "./installed.ts";
import { itSaysHowToLogIn } from "./troubled-session.ts";

for (const cli of CLIS) itSaysHowToLogIn(cli);
