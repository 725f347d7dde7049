/** Parses Markdown on a worker thread, which the page terminates if a text takes too long. */
import { readMarkdown } from "./read-markdown.ts";

onmessage = ({ data }: MessageEvent<string>) => postMessage(readMarkdown(data));
postMessage("ready");
