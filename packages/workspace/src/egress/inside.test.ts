import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "../local/driver.ts";
import { describeWaysOut } from "./describe-ways-out.test-support.ts";

ensureGuest();

describeWaysOut(createLocalDriver);
