/** Treadle's version, as reported by the health route and the API description. */
export const VERSION = "0.1.0";
