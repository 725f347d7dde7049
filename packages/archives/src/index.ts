export { unpackZip } from "./unpack-zip.ts";
