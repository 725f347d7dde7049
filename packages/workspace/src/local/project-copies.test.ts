import { vi } from "vitest";
import { describeCopies } from "../contract/copies.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();
vi.setConfig({ testTimeout: 60_000 });

describeCopies((cacheDirectory) => createLocalDriver({ cacheDirectory, env: process.env }));
