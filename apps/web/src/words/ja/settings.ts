import type { settings as en } from "../en/settings.ts";

export const settings = {
  settings: "設定",
} satisfies typeof en;
