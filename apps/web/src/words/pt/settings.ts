import type { settings as en } from "../en/settings.ts";

export const settings = {
  settings: "Configurações",
} satisfies typeof en;
