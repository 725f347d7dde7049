import { describeAttacks } from "../attacks/describe-attacks.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

describeAttacks((cacheDirectory, env) => createLocalDriver({ cacheDirectory, env }));
