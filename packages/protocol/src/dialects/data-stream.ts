export * from "@treadle/dialects/data-stream";
