package dev.chargehand.json;

import com.fasterxml.classmate.Annotations;
import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.classmate.members.ResolvedMethod;
import com.github.victools.jsonschema.generator.MemberScope;
import com.github.victools.jsonschema.generator.MethodScope;
import com.github.victools.jsonschema.generator.TypeContext;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parameter in the form that the schema library has for members: a method that returns the type of the parameter and
 * has its annotations. Descriptions and constraints of a parameter are read by it like those of a record component.
 */
final class ParameterScope extends MethodScope {

    private final Parameter parameter;
    private final AnnotatedType annotated;

    private ParameterScope(Parameter parameter, AnnotatedType annotated, ResolvedType type, TypeContext context) {
        super(member(parameter, type, context), declaration(parameter, context), null, context);
        this.parameter = parameter;
        this.annotated = annotated;
    }

    /** Return the scope of a parameter; of an {@link Optional}, the scope of the value that may be missing. */
    static ParameterScope of(Parameter parameter, TypeContext context) {
        AnnotatedType annotated = parameter.getAnnotatedType();
        if (parameter.getType().equals(Optional.class) && annotated instanceof AnnotatedParameterizedType optional) {
            annotated = optional.getAnnotatedActualTypeArguments()[0];
        }
        return new ParameterScope(parameter, annotated, context.resolve(annotated.getType()), context);
    }

    /** Return whether the parameter may be null, or may be without a value. */
    boolean isNullable() {
        return !isFakeContainerItemScope()
                && (SchemaWriter.isOptional(parameter.getType())
                        || PlainTypes.isNullable(parameter.getAnnotatedType()));
    }

    /** The member has an argument, so that the library does not take it for the getter of a field. */
    private static ResolvedMethod member(Parameter parameter, ResolvedType type, TypeContext context) {
        Method method = (Method) parameter.getDeclaringExecutable();
        return new ResolvedMethod(
                context.resolve(method.getDeclaringClass()), new Annotations(), method, type, new ResolvedType[] {type
                });
    }

    private static MemberScope.DeclarationDetails declaration(Parameter parameter, TypeContext context) {
        ResolvedType declaring =
                context.resolve(parameter.getDeclaringExecutable().getDeclaringClass());
        return new MemberScope.DeclarationDetails(declaring, context.resolveWithMembers(declaring));
    }

    @Override
    public MethodScope withOverriddenType(ResolvedType type) {
        return new ParameterScope(parameter, annotated, type, getContext());
    }

    @Override
    public <A extends Annotation> @Nullable A getAnnotation(Class<A> type, Predicate<Annotation> considered) {
        List<Annotation> annotations = Stream.concat(
                        Stream.of(parameter.getAnnotations()), Stream.of(annotated.getAnnotations()))
                .toList();
        return getContext().getAnnotationFromList(type, annotations, considered);
    }

    @Override
    public <A extends Annotation> @Nullable A getContainerItemAnnotation(
            Class<A> type, Predicate<Annotation> considered) {
        return getContext().getTypeParameterAnnotation(type, considered, annotated, getFakeContainerItemIndex());
    }
}
