import { expect, it } from "vitest";
import { seesPictures } from "./sees-pictures.ts";

it.each([
  ["anthropic:claude-sonnet-4-5", true],
  ["anthropic:claude-3-5-haiku-latest", true],
  ["openai:gpt-5.1", true],
  ["openai:gpt-4o-mini", true],
  ["google:gemini-3-pro", true],
  ["ollama:llava:13b", true],
  ["ollama:qwen2.5-vl:7b", true],
  ["ollama:qwen3-vl:8b", true],
  ["openrouter:meta-llama/llama-4-scout", true],
  ["openai:gpt-3.5-turbo", false],
  ["openai:o3-mini", false],
  ["deepseek:deepseek-chat", false],
  ["ollama:qwen2.5-coder:7b", false],
  ["ollama:gpt-oss:20b", false],
  ["ollama:llama3.1:8b", false],
  ["demo:todo", false],
  ["openai-compatible:scripted", undefined],
])("whether %s reads pictures: %s", (id, expected) => expect(seesPictures(id)).toBe(expected));
