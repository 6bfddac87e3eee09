package dev.chargehand.tool;

import dev.chargehand.error.ConfigurationException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a tool of an annotated method: its options from {@link AgentTool}, its handler from the method. */
record MethodTool(@Nullable Object target, Method method, AgentTool declared) {

    /**
     * Take a method of an object.
     *
     * @throws ConfigurationException if this module may not call the method
     */
    static MethodTool of(Object object, Method method) {
        if (!method.trySetAccessible()) {
            throw notOpen(method);
        }
        Object target = Modifier.isStatic(method.getModifiers()) ? null : object;
        return new MethodTool(target, method, method.getAnnotation(AgentTool.class));
    }

    private static ConfigurationException notOpen(Method method) {
        Class<?> type = method.getDeclaringClass();
        Module ours = MethodTool.class.getModule();
        String opening = "opens " + type.getPackageName() + (ours.isNamed() ? " to " + ours.getName() : "") + ";";
        return new ConfigurationException("Tool method " + signature(method) + " cannot be called, because module "
                + type.getModule().getName() + " does not open its package; add '" + opening
                + "' to its module-info.java.");
    }

    /** Return a method as error messages name it, such as {@code com.acme.Billing.refund(int, String)}. */
    static String signature(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    String name() {
        return declared.name().isEmpty() ? method.getName() : declared.name();
    }

    /**
     * Make the tool.
     *
     * @throws ConfigurationException if a parameter or an attribute is not allowed
     */
    Tool tool() {
        try {
            MethodArguments arguments = MethodArguments.of(method);
            Tool.Builder<MethodArguments.Values> builder = Tool.builder(name(), declared.description())
                    .input(new ToolInput<>(name(), arguments.schema(), arguments::read))
                    .handler((values, context) -> invoke(values.with(context)));
            setOptions(builder);
            return builder.build();
        } catch (ConfigurationException e) {
            throw new ConfigurationException("Tool method " + signature(method) + ": " + e.getMessage(), e);
        }
    }

    private void setOptions(Tool.Builder<?> builder) {
        builder.onInterruption(declared.onInterruption());
        if (declared.requiresApproval()) {
            builder.requiresApproval();
        }
        if (declared.repeatable()) {
            builder.repeatable();
        }
        if (declared.polling()) {
            builder.polling();
        }
        if (declared.exposeErrors()) {
            builder.exposeErrors();
        }
        if (declared.timeoutSeconds() != 0) {
            builder.timeout(Duration.ofSeconds(declared.timeoutSeconds()));
        }
        if (isSet(declared.output())) {
            builder.output(declared.output());
        }
        setSuspension(builder);
    }

    private void setSuspension(Tool.Builder<?> builder) {
        boolean payload = isSet(declared.suspendPayload());
        if (payload != isSet(declared.providedData())) {
            throw new ConfigurationException("suspendPayload and providedData must be set together, but "
                    + (payload ? "providedData" : "suspendPayload") + " is missing.");
        }
        if (payload) {
            builder.suspends(declared.suspendPayload(), declared.providedData());
        }
    }

    private static boolean isSet(Class<?> type) {
        return type != void.class;
    }

    private @Nullable Object invoke(@Nullable Object[] values) throws Exception {
        try {
            return method.invoke(target, values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }
}
