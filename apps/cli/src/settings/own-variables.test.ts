import { expect, it } from "vitest";
import { tidyOwnVariables } from "./own-variables.ts";

it("what our variables say has no white space around it, and one that is blank is not set", () => {
  const env = {
    TREADLE_IDLE_MINUTES: " ",
    TREADLE_HISTORY_MB: "",
    TREADLE_PORT: "\t",
    TREADLE_APPS_HOST: "0.0.0.0\r",
    TREADLE_DATA: " /srv/my data ",
    OTHER: " as it is ",
  };
  tidyOwnVariables(env);
  expect(env).toEqual({
    TREADLE_APPS_HOST: "0.0.0.0",
    TREADLE_DATA: "/srv/my data",
    OTHER: " as it is ",
  });
});
