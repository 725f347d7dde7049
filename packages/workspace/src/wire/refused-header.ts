/** On the proxy's answers that are a refusal: reason and host. The guest reads it to say whose command was refused. */
export const REFUSED_HEADER = "x-treadle-refused";
