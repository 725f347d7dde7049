export * from "@treadle/dialects/meant";
