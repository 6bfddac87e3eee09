package dev.chargehand.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds assertions within lambdas that the framework calls: tools, hooks, scorers, processors, listeners. What they throw is
 * handled like the failure of any foreign code, so that an assertion that fails there does not fail its test.
 */
final class ForeignCode extends TreeScanner<@Nullable Void, @Nullable String> {

    /** Methods with these names take code that the framework calls, in any class. */
    private static final Set<String> BY_NAME = Set.of(
            "handler",
            "stopWhen",
            "prepareStep",
            "messageFilter",
            "subAgentContext",
            "beforeToolCall",
            "requireToolApproval",
            "requiresApproval",
            "listener",
            "observeDelegationStart",
            "instructionsFrom",
            "approverCheck",
            "tool",
            "citedSourcesExist",
            "predicate");

    /** Methods of these types make tools and scorers of code. */
    private static final Set<String> TYPES = Set.of("Tool", "Scorer", "Scorers", "Steps", "Judge");

    /** They look like hooks and are none. */
    private static final Set<String> NO_HOOKS = Set.of("onVirtualThreads");

    private static final Set<String> MAKERS = Set.of("of", "tool", "judge", "predicate");

    private final JavaSources sources;
    private final List<String> found = new ArrayList<>();
    private CompilationUnitTree unit;

    private ForeignCode(JavaSources sources) {
        this.sources = sources;
        this.unit = sources.units().getFirst();
    }

    /** Returns the places of such assertions, and what calls the code. */
    static List<String> assertionsIn(JavaSources sources) {
        ForeignCode code = new ForeignCode(sources);
        for (CompilationUnitTree each : sources.units()) {
            code.unit = each;
            code.scan(each, null);
        }
        return code.found;
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable String caller) {
        String name = name(call.getMethodSelect());
        if (caller != null && name.startsWith("assert")) {
            found.add(sources.place(unit, call) + ": " + name + " within code that " + caller
                    + " takes; what it throws is"
                    + " swallowed. Keep what is to be asserted, and assert it when the run is over.");
            return null;
        }
        scan(call.getMethodSelect(), caller);
        String taker = takesForeignCode(call, name) ? name : caller;
        for (ExpressionTree argument : call.getArguments()) {
            scan(argument, argument instanceof LambdaExpressionTree ? taker : caller);
        }
        return null;
    }

    /** A hook such as {@code onStepFinish}, and what else takes code. */
    private static boolean takesForeignCode(MethodInvocationTree call, String name) {
        boolean hook = name.length() > 2
                && name.startsWith("on")
                && Character.isUpperCase(name.charAt(2))
                && !NO_HOOKS.contains(name);
        boolean made = MAKERS.contains(name)
                && call.getMethodSelect() instanceof MemberSelectTree select
                && TYPES.contains(name(select.getExpression()));
        return hook || made || BY_NAME.contains(name);
    }

    private static String name(Tree tree) {
        return switch (tree) {
            case MemberSelectTree select -> select.getIdentifier().toString();
            case IdentifierTree identifier -> identifier.getName().toString();
            default -> "";
        };
    }
}
