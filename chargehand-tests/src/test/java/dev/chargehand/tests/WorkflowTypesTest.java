package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler rejects entries that do not fit together. */
class WorkflowTypesTest {

    @TempDir
    Path classes;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "start.then(length).then(twice).build(Integer.class)",
                "start.parallel(length, upper).map(\"m\", Integer.class, (out, ctx) -> out.get(length)).build(Integer.class)",
                "start.branch(Branch.when(\"x\", (s, ctx) -> s.isEmpty(), upper).otherwisePass()).build(String.class)",
                "start.branch(Branch.when(\"x\", (String s, WorkflowContext ctx) -> s.isEmpty(), length)"
                        + ".otherwise(other)).build(Integer.class)",
                "start.branchAll(Branch.when(\"x\", (s, ctx) -> s.isEmpty(), upper),"
                        + " Branch.when(\"y\", (s, ctx) -> true, length)).build(Outputs.class)",
                "start.doUntil(upper, (s, ctx) -> s.isEmpty(), Repeat.atMost(3)).build(String.class)",
                "start.foreach((s, ctx) -> List.of(s), length).build(new JsonType<List<Integer>>() {})",
                "start.foreach(\"f\", (s, ctx) -> List.of(s), length, Each.concurrency(2).collect())"
                        + ".build(new JsonType<List<Outcome<Integer>>>() {})",
                "start.then(length.optional()).map(\"m\", Integer.class, (o, ctx) -> o.orElse(0)).build(Integer.class)",
                "start.then(any).build(Integer.class)",
            })
    void whatFitsCompiles(String definition) {
        assertThat(errors(definition)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "start.then(twice)",
                "start.then(length).build(String.class)",
                "start.parallel(length, twice)",
                "start.parallel(length).then(twice)",
                "start.branch(Branch.when(\"x\", (s, ctx) -> s.isEmpty(), upper))",
                "start.branch(Branch.when(\"x\", (s, ctx) -> s.isEmpty(), upper).otherwise(length))",
                "start.branch(Branch.when(\"x\", (n, ctx) -> n > 1, twice).otherwisePass())",
                "start.branchAll(Branch.when(\"x\", (n, ctx) -> n > 1, twice))",
                "start.doWhile(length, (n, ctx) -> n > 1, Repeat.atMost(3))",
                "start.foreach((s, ctx) -> List.of(1), length)",
                "start.foreach((s, ctx) -> List.of(s), length).build(Integer.class)",
                "start.foreach(\"f\", (s, ctx) -> List.of(s), length, Each.concurrency(2).collect())"
                        + ".build(new JsonType<List<Integer>>() {})",
                "start.then(length.optional()).then(twice)",
                "start.map(\"m\", Integer.class, (s, ctx) -> s)",
            })
    void whatDoesNotFitDoesNotCompile(String definition) {
        assertThat(errors(definition)).isNotEmpty();
    }

    @Test
    void theErrorIsAboutTheTypesOfTheEntry() {
        assertThat(errors("start.then(twice)"))
                .singleElement()
                .asString()
                .contains("Step<java.lang.Integer,java.lang.Integer> cannot be converted to");
    }

    private List<String> errors(String definition) {
        String source = """
                import dev.chargehand.json.*;
                import dev.chargehand.workflow.*;
                import java.util.*;
                class Definition {
                    Object define(WorkflowBuilder<String, String> start, Step<String, Integer> length,
                            Step<String, Integer> other, Step<String, String> upper, Step<Integer, Integer> twice,
                            Step<Object, Integer> any) {
                        return %s;
                    }
                }
                """.formatted(definition);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Definition.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        compiler.getTask(
                        null,
                        null,
                        found,
                        List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        List.of(file))
                .call();
        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(Locale.ROOT))
                .toList();
    }
}
