import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";
import { describeWaysOut } from "../contract/describe-ways-out.test-support.ts";

ensureGuest();

describeWaysOut(createLocalDriver);
