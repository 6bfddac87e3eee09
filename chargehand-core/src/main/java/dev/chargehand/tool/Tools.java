package dev.chargehand.tool;

import dev.chargehand.error.ConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tools of the annotated methods of an object.
 *
 * <pre>{@code
 * class Orders {
 *     @AgentTool(description = "Finds orders by their state.", repeatable = true)
 *     List<String> findOrders(@Description("open or shipped") String state) { ... }
 * }
 *
 * Agent clerk = Agent.builder("clerk").model("openai/gpt-5-mini").tools(Tools.of(new Orders())).build();
 * }</pre>
 */
public final class Tools {

    private Tools() {}

    /**
     * Make a tool of each method that has {@link AgentTool}, in the order of their names.
     *
     * <p>Methods of any visibility count, those of superclasses and interfaces too. Parameters become the properties of
     * the input schema and need their names, which the compiler option {@code -parameters} keeps. A parameter is
     * required unless it is {@code @Nullable} or an {@code Optional}; a {@link ToolContext} is passed and not part of
     * the schema. Results and exceptions are handled as those of a {@link ToolHandler}. Calls may be concurrent, so the
     * object must be thread-safe.
     *
     * @param object an instance; its module opens the package to {@code dev.chargehand}, unless class and method are
     *     public and the package is exported
     * @throws ConfigurationException if no method is annotated, two tools have one name, or a method cannot be a tool
     */
    public static List<Tool> of(Object object) {
        Class<?> type = typeOf(object);
        Map<String, Method> methods = new TreeMap<>();
        List<Tool> tools = new ArrayList<>();
        for (Method method : AnnotatedMethods.of(type)) {
            MethodTool each = MethodTool.of(object, method);
            Method other = methods.putIfAbsent(each.name(), method);
            if (other != null) {
                throw new ConfigurationException(
                        "Tools of " + type.getName() + ": " + MethodTool.signature(other) + " and "
                                + MethodTool.signature(method) + " have the same tool name '" + each.name()
                                + "'; set a different name in @AgentTool(name = …).");
            }
            tools.add(each.tool());
        }
        if (tools.isEmpty()) {
            throw new ConfigurationException("Tools of " + type.getName()
                    + ": no method has @AgentTool; annotate the methods that a model may call.");
        }
        return List.copyOf(tools);
    }

    private static Class<?> typeOf(@Nullable Object object) {
        if (object == null) {
            throw new ConfigurationException("Tools.of needs an object with @AgentTool methods, but it is null.");
        }
        if (object instanceof Class<?> type) {
            throw new ConfigurationException(
                    "Tools.of needs an instance of " + type.getName() + ", but is given the class.");
        }
        return object.getClass();
    }
}
