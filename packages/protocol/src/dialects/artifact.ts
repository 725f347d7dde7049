export * from "@treadle/dialects/artifact";
