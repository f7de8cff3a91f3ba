// Gives Node a document. Import it before the page's modules. Scripts in the document do not run.
import { Window } from "happy-dom";

const settings = { disableJavaScriptEvaluation: true, disableJavaScriptFileLoading: true, disableCSSFileLoading: true };
Object.assign(globalThis, { document: new Window({ settings }).document });
