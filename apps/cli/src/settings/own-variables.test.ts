import { expect, it } from "vitest";
import { tidyOwnVariables } from "./own-variables.ts";

it("trims white space around our variables, and treats blank ones as unset", () => {
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
