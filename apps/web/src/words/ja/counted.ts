import { countsIn } from "../counts-in.ts";

export const counted = countsIn("ja");
