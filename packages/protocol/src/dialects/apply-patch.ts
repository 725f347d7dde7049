export * from "@treadle/dialects/apply-patch";
