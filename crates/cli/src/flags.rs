//! Which flag of the command line is a field of a question?

pub use pages::flags::spelled;

#[cfg(test)]
mod tests {
    use anholon::Field;
    use clap::CommandFactory;
    use pages::flags::flag;

    use super::*;

    #[test]
    fn every_field_is_spelled_as_an_argument_that_there_is() {
        let command = crate::Arguments::command();
        let arguments: Vec<&clap::Arg> = command.get_subcommands().flat_map(clap::Command::get_arguments).collect();
        for &field in Field::ALL {
            let flag = flag(field);
            let is_it = |argument: &&&clap::Arg| match flag.strip_prefix("--") {
                Some(name) => argument.get_long() == Some(name),
                None => argument.get_id().as_str().eq_ignore_ascii_case(&flag),
            };
            assert!(arguments.iter().find(is_it).is_some(), "{field} is no `{flag}`");
        }
        assert_eq!(spelled("`⟨within \"x=-1..1\"⟩`, ⟨candidates⟩"), "`--box \"x=-1..1\"`, --test");
    }
}
