package dev.chargehand.site;

import java.io.IOException;
import java.util.List;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** The scripts of a site's search, run without a browser. */
final class Script {

    private final String scripts;

    private Script(String scripts) {
        this.scripts = scripts;
    }

    static Script of(Documents documents) throws IOException {
        return new Script(documents.read("lunr.js") + "\n;" + documents.read("search-index.js")
                + documents.read("search.js") + "\nsiteSearch.prepare();\n");
    }

    /** Returns the places that are found, the best first. */
    List<String> find(String query) {
        String found = text("siteSearch.find(query).map(section => section.url).join('\\n')", query);
        return found.lines().toList();
    }

    /** Returns what an expression comes to. */
    String text(String expression) {
        return text(expression, "");
    }

    private String text(String expression, String query) {
        try (Context context = Context.enter()) {
            context.setLanguageVersion(Context.VERSION_ES6);
            context.setInterpretedMode(true);
            Scriptable page = context.initSafeStandardObjects();
            ScriptableObject.putProperty(page, "query", query);
            return Context.toString(context.evaluateString(page, scripts + expression, "search", 1, null));
        }
    }
}
