/** Tests speak English, and have all texts from the beginning. */
import * as first from "./en/first-load.ts";
import * as later from "./en/later.ts";
import { addWords } from "./words.ts";

addWords({ ...first, ...later });
