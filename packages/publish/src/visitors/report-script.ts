/** Where browsers tell what went wrong, and where the script is that tells it: on the app's own host, and never handed to the app. */
export const REPORT_PATH = "/.well-known/treadle-errors";
export const SCRIPT_PATH = `${REPORT_PATH}.js`;

/** Errors that one page tells at most. */
const MOST = 10;

/**
 * What stands in pages of a published app: it tells uncaught errors and refused promises, without cookies, and does nothing
 * else. A page whose own policy stands in it is left alone, since telling could offend against that.
 * @param release which answers with the page
 */
export const reportScript = (release: number): string =>
  `(()=>{let n=0,seen={};const tell=(m,s,f)=>{try{m=String(m).slice(0,600);if(seen[m]||n>=${MOST}||document.querySelector('meta[http-equiv="content-security-policy" i]'))return;seen[m]=1;n++;fetch("${REPORT_PATH}",{method:"POST",credentials:"omit",keepalive:true,referrerPolicy:"no-referrer",body:JSON.stringify({release:${release},page:location.pathname,message:m,source:f||"",stack:String(s||"").slice(0,4000)})}).catch(()=>{})}catch{}};addEventListener("error",e=>{if(e instanceof ErrorEvent&&e.message!=="Script error.")tell(e.message,e.error&&e.error.stack,e.filename&&e.filename+":"+e.lineno+":"+e.colno)});addEventListener("unhandledrejection",e=>{const r=e.reason;tell("Unhandled rejection: "+(r&&r.message||r),r&&r.stack)})})()`;
