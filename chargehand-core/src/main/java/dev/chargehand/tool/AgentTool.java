package dev.chargehand.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Mark of a method that {@link Tools#of} makes a tool of.
 *
 * <p>Its parameters are the arguments; {@link dev.chargehand.json.Description} on a parameter is for the model. The
 * other attributes are the options of {@link Tool.Builder}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface AgentTool {

    /** Return when and how to use the tool, for the model. */
    String description();

    /**
     * Return the name of the tool: letters, digits, {@code _} and {@code -}, at most 64. Default: the name of the
     * method.
     */
    String name() default "";

    /** Return whether every call waits for approval; see {@link Tool.Builder#requiresApproval()}. */
    boolean requiresApproval() default false;

    /** Return whether an interrupted call may be executed again; see {@link Tool.Builder#repeatable()}. */
    boolean repeatable() default false;

    /** Return whether identical calls in a row are expected; see {@link Tool.Builder#polling()}. */
    boolean polling() default false;

    /** Return whether the messages of all exceptions reach the model; see {@link Tool.Builder#exposeErrors()}. */
    boolean exposeErrors() default false;

    /** Return the time limit in seconds; 0, the default, is {@link dev.chargehand.run.TimeLimit#TOOL}. */
    int timeoutSeconds() default 0;

    /** Return how an interrupted call is handled; see {@link Tool.Builder#onInterruption}. */
    InterruptedCallPolicy onInterruption() default InterruptedCallPolicy.REPORT;

    /**
     * Return the type that a result must fit; see {@link Tool.Builder#output(Class)}. Default: any result is accepted.
     */
    Class<?> output() default void.class;

    /** Return the type of the question in {@link ToolContext#suspend}; set it together with {@link #providedData()}. */
    Class<?> suspendPayload() default void.class;

    /**
     * Return the type of the data that {@link ToolContext#suspend} waits for; set it with {@link #suspendPayload()}.
     */
    Class<?> providedData() default void.class;
}
