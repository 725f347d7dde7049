/** Treadle's own version, as it is told in health and in the API's description. */
export const VERSION = "0.1.0";
