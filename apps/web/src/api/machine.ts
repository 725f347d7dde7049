import type { Machine } from "@treadle/protocol";
import { getJson } from "./request.ts";

export const readMachine = (signal?: AbortSignal) => getJson<Machine>("/api/machine", signal);
