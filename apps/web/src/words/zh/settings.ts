import type { settings as en } from "../en/settings.ts";

export const settings = {
  settings: "设置",
} satisfies typeof en;
