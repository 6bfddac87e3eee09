package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

/** The scripts of a site's search, run without a browser. */
final class Script {

    private final ScriptableObject page;

    private Script(ScriptableObject page) {
        this.page = page;
    }

    static Script of(Documents documents) throws IOException {
        return of(documents.output());
    }

    /** Reads the scripts of a site. */
    static Script of(Path site) throws IOException {
        String scripts = Files.readString(site.resolve("lunr.js")) + "\n;"
                + Files.readString(site.resolve("search-index.js")) + Files.readString(site.resolve("search.js"))
                + "\nsiteSearch.prepare();";
        try (Context context = enter()) {
            Script script = new Script(context.initSafeStandardObjects());
            context.evaluateString(script.page, scripts, "search", 1, null);
            return script;
        }
    }

    /** Returns the places that are found, the best first. */
    List<String> find(String query) {
        ScriptableObject.putProperty(page, "query", query);
        return text("siteSearch.find(query).map(section => section.url).join('\\n')")
                .lines()
                .toList();
    }

    /** Returns what an expression comes to. */
    String text(String expression) {
        try (Context context = enter()) {
            return Context.toString(context.evaluateString(page, expression, "expression", 1, null));
        }
    }

    private static Context enter() {
        Context context = Context.enter();
        context.setLanguageVersion(Context.VERSION_ES6);
        context.setInterpretedMode(false);
        return context;
    }
}
