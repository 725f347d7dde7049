/** Tests use English, and load all texts in advance. */
import * as first from "./en/first-load.ts";
import * as later from "./en/later.ts";
import { addWords } from "./words.ts";

addWords({ ...first, ...later });
