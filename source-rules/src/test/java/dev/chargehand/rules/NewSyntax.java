package dev.chargehand.rules;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DeconstructionPatternTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the formatter cannot read on JDK 17, on which Maven may run. A build on a later JDK does not fail because of it, so that only
 * others would see the failure.
 */
final class NewSyntax extends TreeScanner<@Nullable Void, @Nullable Void> {

    private final JavaSources sources;
    private final List<String> found = new ArrayList<>();
    private CompilationUnitTree unit;

    private NewSyntax(JavaSources sources) {
        this.sources = sources;
        this.unit = sources.units().getFirst();
    }

    /** Returns the places of it, and what to write instead. */
    static List<String> in(JavaSources sources) {
        NewSyntax syntax = new NewSyntax(sources);
        for (CompilationUnitTree each : sources.units()) {
            syntax.unit = each;
            syntax.scan(each, null);
        }
        return syntax.found;
    }

    @Override
    public @Nullable Void visitCase(CaseTree branch, @Nullable Void nothing) {
        if (branch.getGuard() != null) {
            add(branch, "a guard (case … when …); use an if within the case");
        }
        if (branch.getLabels().size() > 1
                && branch.getLabels().stream().anyMatch(label -> label instanceof DefaultCaseLabelTree)) {
            add(branch, "case null, default; use two cases");
        }
        return super.visitCase(branch, null);
    }

    @Override
    public @Nullable Void visitDeconstructionPattern(DeconstructionPatternTree pattern, @Nullable Void nothing) {
        add(pattern, "a record pattern; use a type pattern and its accessors");
        return super.visitDeconstructionPattern(pattern, null);
    }

    private void add(Tree tree, String what) {
        found.add(sources.place(unit, tree) + ": the formatter cannot read " + what + ".");
    }
}
