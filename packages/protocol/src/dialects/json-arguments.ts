export * from "@treadle/dialects/json-arguments";
