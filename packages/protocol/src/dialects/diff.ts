export * from "@treadle/dialects/diff";
