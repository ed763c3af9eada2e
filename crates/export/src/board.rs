//! Which rows act or may act, and what switches them?

use std::sync::Arc;

use engine::{Error, Loaded};
use mechanics::friction::{Grip, Rough};
use mechanics::rows::{Row, Rows, row_name};
use mechanics::standing::Standing;
use mechanics::{Mode, Surface, System};

use crate::unit::{Item, ModeRow};

/// More things that switch are not written: their states are looked through one by one.
const MOST_ITEMS: usize = 8;

/// The rows and items of a model.
pub struct Board {
    /// All rows that act or may act.
    pub rows: Vec<Row>,
    /// What each of them is.
    pub of: Vec<ModeRow>,
    /// The items.
    pub items: Vec<Item>,
    /// The constraint that each item is about.
    pub places: Vec<usize>,
    /// The rough contacts, and their items.
    pub rough: Vec<(usize, Arc<Rough>)>,
    /// What acts always.
    pub ground: Mode,
}

/// What acts always.
pub fn ground(loaded: &Loaded) -> Mode {
    let standing = loaded.system.constraints.iter().map(|one| match (one.rows.is_empty(), one.acts_always()) {
        (true, _) => Standing::Idle,
        (_, true) => Standing::Acts,
        _ if one.is_rough => Standing::Rough,
        _ if one.is_one_sided() || one.while_closed => Standing::Open,
        _ => Standing::Later,
    });
    Mode { standing: standing.collect(), released: Vec::new(), held: Vec::new() }
}

impl Board {
    /// The rows and items beside those that act always.
    pub fn of(loaded: &Loaded, ground: Mode, base: &Rows) -> Result<Board, Error> {
        let system = &loaded.system;
        let always = |row: &Row| ModeRow { item: None, kind: 0, order: row.order };
        let mut board = Board {
            of: base.list.iter().map(always).collect(),
            rows: base.list.clone(),
            items: Vec::new(),
            places: Vec::new(),
            rough: Vec::new(),
            ground,
        };
        for (place, one) in system.constraints.iter().enumerate() {
            if one.rows.is_empty() || one.acts_always() || one.while_closed || one.is_rough {
                continue;
            }
            if one.is_one_sided() { board.sided(system, place)? } else { board.switched(system, place)? }
        }
        for friction in &system.frictions {
            board.rough(loaded, friction)?;
        }
        if board.items.len() > MOST_ITEMS {
            let many = board.items.len();
            let why =
                format!("{many} constraints open, close or are switched: {MOST_ITEMS} is the most in exported code");
            return Err(Error::new(why).hint("`anholon simulate` runs such a model"));
        }
        Ok(board)
    }

    fn row(&mut self, system: &System, place: usize, k: usize, item: usize, kind: u8) -> Result<usize, Error> {
        let constraint = &system.constraints[place];
        let row = Row::of(system, &row_name(constraint, k), place, constraint.rows[k]).map_err(Error::new)?;
        self.of.push(ModeRow { item: Some(item), kind, order: row.order });
        self.rows.push(row);
        Ok(self.rows.len() - 1)
    }

    fn sided(&mut self, system: &System, place: usize) -> Result<(), Error> {
        let (one, item) = (&system.constraints[place], self.items.len());
        if one.from.is_some() || one.until.is_some() {
            return Err(lacks(&one.name, "is one-sided and switched by `from` or `until`"));
        }
        if one.rows.len() != 1 {
            return Err(lacks(&one.name, "has several gaps"));
        }
        let normal = self.row(system, place, 0, item, 1)?;
        if self.of[normal].order > 0 {
            return Err(lacks(&one.name, "is one-sided and holds rates"));
        }
        for with in mechanics::contact::slips_with(system, place) {
            if system.constraints[with].is_rough {
                continue;
            }
            for k in 0..system.constraints[with].rows.len() {
                self.row(system, with, k, item, 3)?;
            }
        }
        let name = one.name.clone();
        self.items.push(Item { name, is_sided: true, switched: 0, normal: Some(normal), slip: 0, slips: 0 });
        self.places.push(place);
        Ok(())
    }

    fn switched(&mut self, system: &System, place: usize) -> Result<(), Error> {
        let (one, item) = (&system.constraints[place], self.items.len());
        if system.restitutions.iter().any(|bounce| bounce.on == one.name) {
            return Err(lacks(&one.name, "is switched and has a restitution"));
        }
        for k in 0..one.rows.len() {
            self.row(system, place, k, item, 0)?;
        }
        let switched = u8::from(one.from.is_some()) + 2 * u8::from(one.until.is_some());
        self.items.push(Item { name: one.name.clone(), is_sided: false, switched, normal: None, slip: 0, slips: 0 });
        self.places.push(place);
        Ok(())
    }

    fn rough(&mut self, loaded: &Loaded, friction: &Surface) -> Result<(), Error> {
        let system = &loaded.system;
        let rough = Rough::of(system, friction, &loaded.at)
            .map_err(|diagnostic| Error::of_model(&loaded.model.sources, &[diagnostic]))?;
        let item = match self.places.iter().position(|&place| place == rough.gap) {
            Some(item) if self.items[item].is_sided => item,
            Some(_) => return Err(lacks(&rough.name, "is rough and switched")),
            None => {
                let normal = self.rows.iter().position(|row| row.constraint == rough.gap);
                let Some(normal) = normal else { return Err(lacks(&rough.name, "is rough and follows from others")) };
                self.of[normal] = ModeRow { item: Some(self.items.len()), kind: 1, ..self.of[normal] };
                let name = rough.name.clone();
                self.items.push(Item { name, is_sided: false, switched: 0, normal: Some(normal), slip: 0, slips: 0 });
                self.places.push(rough.gap);
                self.items.len() - 1
            }
        };
        (self.items[item].slip, self.items[item].slips) = (self.rows.len(), rough.slips.len());
        let own: Vec<usize> = mechanics::contact::slips_of(system, rough.gap);
        let own: Vec<usize> = own.into_iter().filter(|&place| system.constraints[place].is_rough).collect();
        match own[..] {
            [place] if system.constraints[place].rows.len() == rough.slips.len() => {
                for k in 0..rough.slips.len() {
                    self.row(system, place, k, item, 2)?;
                }
            }
            [] => {
                for (k, slip) in rough.slips.iter().enumerate() {
                    let name = format!("{}.slip{}", rough.name, k + 1);
                    let row = Row::of(system, &name, rough.gap, slip.1).map_err(Error::new)?;
                    self.of.push(ModeRow { item: Some(item), kind: 2, order: row.order });
                    self.rows.push(Row { slips: true, ..row });
                }
            }
            _ => return Err(lacks(&rough.name, "is rough, and slips in a way that code does not follow")),
        }
        self.rough.push((item, Arc::new(rough)));
        Ok(())
    }

    /// The mode in which everything acts and sticks.
    pub fn everything(&self, system: &System) -> Result<Mode, Error> {
        let acting = |place: usize| match system.constraints[place].rows.is_empty() {
            true => Standing::Idle,
            false if system.constraints[place].is_rough => Standing::Rough,
            false if system.constraints[place].is_one_sided() => Standing::Closed,
            false => Standing::Acts,
        };
        let standing = (0..system.constraints.len()).map(acting).collect();
        let mut mode = Mode { standing, released: Vec::new(), held: Vec::new() };
        for (_, rough) in &self.rough {
            mode = mode.holding(system, rough, Grip::Sticks).map_err(Error::new)?;
        }
        Ok(mode)
    }

    /// What is watched of the items.
    pub fn watches(&self) -> Vec<(u8, usize)> {
        let of = |(k, item): (usize, &Item)| {
            let list = [
                item.is_sided.then_some((0, k)),
                (item.slips > 0).then_some((1, k)),
                (item.slips > 0 && !item.is_sided).then_some((2, k)),
                (item.switched > 0).then_some((3, k)),
            ];
            list.into_iter().flatten()
        };
        self.items.iter().enumerate().flat_map(of).collect()
    }
}

/// The model has something that code does not follow.
pub fn lacks(name: &str, what: &str) -> Error {
    Error::new(format!("`{name}` {what}: exported code does not follow that yet"))
        .hint("`anholon simulate` runs such a model")
}
