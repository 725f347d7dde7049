/** Reads Markdown on a thread of its own, which the page ends if a text takes too long. */
import { readMarkdown } from "./read-markdown.ts";

onmessage = ({ data }: MessageEvent<string>) => postMessage(readMarkdown(data));
postMessage("ready");
