export * from "@treadle/dialects/tool-tags";
