package dev.chargehand.clients;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The tests need Node 20 or newer. Without it they are left out, with a line that says so; where the variable {@code CI} is set, they fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NodeRequired.Condition.class)
@interface NodeRequired {

    /** Looks for Node. */
    final class Condition implements ExecutionCondition {

        private static final int LEAST = 20;

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            int found = NodeProcess.version();
            if (found >= LEAST) {
                return ConditionEvaluationResult.enabled("Node " + found);
            }
            String what = "The clients for Node are not tested: Node " + LEAST + " or newer is needed, and "
                    + (found == 0 ? "none was found" : "version " + found + " was found") + " on the PATH.";
            if (System.getenv("CI") != null) {
                throw new IllegalStateException(what);
            }
            System.out.println(what);
            return ConditionEvaluationResult.disabled(what);
        }
    }
}
