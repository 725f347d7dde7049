/**
 * Paths for reports and for the reporting script: on the app's own host, and never passed to the
 * app.
 */
export const REPORT_PATH = "/.well-known/treadle-errors";
export const SCRIPT_PATH = `${REPORT_PATH}.js`;

/** Maximum number of errors that one page reports. */
const MOST = 10;

/**
 * The script in pages of a published app: it reports uncaught errors and rejected promises, without
 * cookies, and does nothing else. A page with its own policy in a meta tag is left alone, since a
 * report could violate it.
 * @param release the one that serves the page
 */
export const reportScript = (release: number): string =>
  `(()=>{let n=0,seen={};const tell=(m,s,f)=>{try{m=String(m).slice(0,600);if(seen[m]||n>=${MOST}||document.querySelector('meta[http-equiv="content-security-policy" i]'))return;seen[m]=1;n++;fetch("${REPORT_PATH}",{method:"POST",credentials:"omit",keepalive:true,referrerPolicy:"no-referrer",body:JSON.stringify({release:${release},page:location.pathname,message:m,source:f||"",stack:String(s||"").slice(0,4000)})}).catch(()=>{})}catch{}};addEventListener("error",e=>{if(e instanceof ErrorEvent&&e.message!=="Script error.")tell(e.message,e.error&&e.error.stack,e.filename&&e.filename+":"+e.lineno+":"+e.colno)});addEventListener("unhandledrejection",e=>{const r=e.reason;tell("Unhandled rejection: "+(r&&r.message||r),r&&r.stack)})})()`;
